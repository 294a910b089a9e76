import re
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class TapelessConan(ConanFile):
    name = "tapeless"
    description = "C++20 header-only compile-time automatic differentiation with StopGradient"
    license = "BSL-1.0"
    topics = ("automatic-differentiation", "gradient", "expression-templates", "header-only")
    package_type = "header-library"
    implements = ["auto_header_only"]
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_mpi": [True, False]}
    default_options = {"boost/*:header_only": True, "with_mpi": False}
    exports = "include/tapeless/version.hpp"
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "include/*"

    def set_version(self):
        header = load(self, Path(self.recipe_folder) / "include" / "tapeless" / "version.hpp")
        self.version = ".".join(re.findall(r"#define TAPELESS_VERSION_\w+ (\d+)", header))

    def requirements(self):
        self.requires("boost/[>=1.74 <2]", transitive_headers=True)
        self.requires("xtensor/[>=0.24 <0.28]", transitive_headers=True)
        self.requires("xsimd/[>=8 <15]", transitive_headers=True)
        if self.options.with_mpi:
            self.requires("openmpi/[>=4.1 <6]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)
        self.cpp.package.builddirs = ["share/cmake/tapeless"]
        self.cpp.build.builddirs = ["."]  # where an editable package has its configuration

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["TAPELESS_BUILD_TESTING"] = False
        toolchain.cache_variables["TAPELESS_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")  # the package brings its own configuration
