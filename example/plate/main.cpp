#include "../common/options.hpp"
#include "deform.hpp"
#include "mesh.hpp"
#include "plot.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>

namespace {

using namespace plate;
namespace po = boost::program_options;

struct Arguments {
  std::string file;
  int rings;
  double stretch;
  std::string grips;
  double young;
  double poisson;
  int iterations;
  std::string save;
  example::PictureOptions picture;
};

/// The command line, or nothing where it only asks for help.
std::optional<Arguments> parse(int argc, char** argv) {
  Arguments arguments;
  po::options_description options("Options", 100);
  auto add = options.add_options();
  add("stretch,s", po::value(&arguments.stretch)->value_name("S")->default_value(1.5, "1.5"),
      "length of the plate after, to that before");
  add("grips", po::value(&arguments.grips)->value_name("clamped|sliding")->default_value("clamped"),
      "do the ends keep their height?");
  add("young", po::value(&arguments.young)->value_name("E")->default_value(1, "1"), "Young's modulus");
  add("poisson", po::value(&arguments.poisson)->value_name("NU")->default_value(0.3, "0.3"), "Poisson's ratio");
  add("generate,g", po::value(&arguments.rings)->value_name("N")->default_value(0),
      "instead of a file: a plate with a hole and N rings of triangles around it");
  add("iterations,n", po::value(&arguments.iterations)->value_name("N")->default_value(50), "most iterations");
  add("save", po::value(&arguments.save)->value_name("FILE"), "write the deformed mesh, or with --generate the mesh");
  arguments.picture.add_to(options, "plate");
  if (!example::read_command_line(
          argc, argv, options,
          "Usage: plate MESH.msh [options]\n\n"
          "Pulls an elastic plate apart, a mesh of triangles in Gmsh's format 2.2, and finds its\n"
          "shape by Newton's method.",
          &arguments.file)) {
    return std::nullopt;
  }
  if (arguments.file.empty() == (arguments.rings == 0)) {
    throw example::Error("give a file or --generate; see plate --help");
  }
  if (arguments.rings != 0) {
    example::check_range("generate", arguments.rings, 2, 200);
  }
  example::check_range("stretch", arguments.stretch, 0.1, 10.0);
  example::check_range("young", arguments.young, 1e-9, 1e15);
  example::check_range("poisson", arguments.poisson, 0.0, 0.499);
  example::check_range("iterations", arguments.iterations, 1, 10000);
  arguments.picture.check();
  return arguments;
}

int run(const Arguments& arguments) {
  const Grips grips =
      example::choice<Grips>("grips", arguments.grips, {{"clamped", Grips::clamped}, {"sliding", Grips::sliding}});
  const bool generated = arguments.file.empty();
  const Mesh mesh = generated ? plate_with_hole(static_cast<std::size_t>(arguments.rings)) : read_mesh(arguments.file);
  const auto save = [&](const Mesh& to_save) { example::write_file(arguments.save, mesh_text(to_save)); };
  if (generated && !arguments.save.empty()) {
    save(mesh);
  }
  const double young = arguments.young, poisson = arguments.poisson;
  const Material material{young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))};
  std::printf("%zu points, %zu triangles, stretched by %g\n", mesh.points.size(), mesh.triangles.size(),
              arguments.stretch);
  const Deformation deformation =
      deform(mesh, material, grips, arguments.stretch, arguments.iterations, 1e-11 * young,
             [](int i, double energy, double force) {
               std::printf("  iteration %-3d  energy %.12g  largest force %.1e\n", i, energy, force);
             });
  if (deformation.converged) {
    std::printf("Converged: energy %.10g, pulled with %.10g\n", deformation.energies.back(), deformation.force);
  } else {
    std::printf("NOT CONVERGED after %d iterations\n", arguments.iterations);
  }
  if (!generated && !arguments.save.empty()) {
    save({deformation.points, mesh.triangles});
  }
  if (!arguments.picture.output.empty()) {
    example::write_picture("plate", arguments.picture.output, arguments.picture.format,
                           plot_script(mesh, deformation, arguments.picture.terminal()));
  }
  return deformation.converged ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return example::exit_status("plate", argc, argv, parse, run); }
