import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, get
from conan.tools.layout import basic_layout

required_conan_version = ">=2.0"


class TapelessConan(ConanFile):
    name = "tapeless"
    description = "Compile-time automatic differentiation in C++20 headers"
    license = "BSL-1.0"
    url = "https://github.com/conan-io/conan-center-index"
    homepage = "https://github.com/OWNER/tapeless"
    topics = ("automatic-differentiation", "gradient", "expression-templates", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_tensor": [True, False]}
    default_options = {"with_tensor": True, "boost/*:header_only": True}
    no_copy_source = True

    def layout(self):
        basic_layout(self, src_folder="src")

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", transitive_headers=True)
        if self.options.with_tensor:
            self.requires("xtensor/[>=0.24 <0.28]", transitive_headers=True)
            self.requires("xsimd/[>=8 <15]", transitive_headers=True)

    def package_id(self):
        self.info.clear()

    def validate(self):
        check_min_cppstd(self, 20)

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        if self.options.with_tensor:
            self.cpp_info.set_property("cmake_target_aliases", ["tapeless::tensor"])
