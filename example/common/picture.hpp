#pragma once

#include "gnuplot.hpp"
#include "output.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace example {

/// The kinds of picture, and gnuplot's terminals for them.
inline const std::map<std::string, std::string> picture_formats{{"svg", "svg font 'sans-serif,13'"},
                                                                {"png", "pngcairo font 'sans,11'"}};

/// Writes the script as PROGRAM.gnuplot, the picture that it draws as PROGRAM.FORMAT where gnuplot is installed, and
/// publishes them with the file `data`, if any; says so on standard output. Where gnuplot or writing fails, no file
/// appears.
inline void write_picture(const std::string& program, const std::filesystem::path& directory, const std::string& format,
                          const std::string& script_text, StagedFile* data = nullptr) {
  StagedFile script(directory / (program + ".gnuplot"));
  StagedFile picture(directory / (program + "." + format));
  script.write(script_text);
  const Drawn drawn = draw(script.staged(), picture.staged());
  std::string written;
  const auto publish = [&written](StagedFile& file) {
    file.publish();
    written += (written.empty() ? "" : ", ") + file.path().string();
  };
  if (drawn == Drawn::yes) {
    publish(picture);
  }
  publish(script);
  if (data != nullptr) {
    publish(*data);
  }
  std::printf("\nWrote %s\n", written.c_str());
  if (drawn == Drawn::no_gnuplot) {
    std::fflush(stdout);
    std::fprintf(
        stderr,
        "%s: no picture: gnuplot is not installed (Debian: apt install gnuplot-nox); then run: gnuplot -c %s %s\n",
        program.c_str(), script.path().c_str(), picture.path().c_str());
  }
}

}  // namespace example
