#pragma once

#include "command_line.hpp"
#include "csv.hpp"
#include "picture.hpp"
#include "progress.hpp"

#include <boost/program_options.hpp>

#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>

namespace example {

/// Reads the command line into the variables of `options`; what stands there without an option's name goes to `file`,
/// if there may be such. False where the command line asks for help, which is then printed: `usage` and the options.
inline bool read_command_line(int argc, char** argv, boost::program_options::options_description& options,
                              const std::string& usage, std::string* file = nullptr) {
  namespace po = boost::program_options;
  options.add_options()("help,h", "show this text");
  po::options_description all;
  all.add(options);
  po::positional_options_description positional;
  if (file != nullptr) {
    all.add_options()("file", po::value(file));
    positional.add("file", 1);
  }
  po::variables_map values;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    throw Error(error.what());
  }
  if (values.count("help") != 0) {
    std::cout << usage << "\n\n" << options;
    return false;
  }
  return true;
}

/// Throws unless the value given for `--option` is between the bounds, NaN included.
template <class T>
void check_range(const std::string& option, T value, T least, T most) {
  if (!(value >= least && value <= most)) {
    const auto spelled = [](T bound) {
      char text[32];
      return std::string(text, std::to_chars(text, text + sizeof text, bound).ptr);
    };
    throw Error("--" + option + " must lie between " + spelled(least) + " and " + spelled(most));
  }
}

/// Throws unless a file was given to the program.
inline void require_file(const std::string& program, const std::string& file) {
  if (file.empty()) {
    throw Error("no data file given; see " + program + " --help");
  }
}

/// The options --generate, --seed and --save of programs that make up data where no file is given.
struct GeneratedOptions {
  int count;  ///< 0: read a file
  int seed;
  std::string save;

  void add_to(boost::program_options::options_description& options, const char* what_count, const char* what_seed,
              const char* what_save) {
    namespace po = boost::program_options;
    options.add_options()("generate,g", po::value(&count)->value_name("N")->default_value(0), what_count)(
        "seed", po::value(&seed)->value_name("N")->default_value(1), what_seed)(
        "save", po::value(&save)->value_name("FILE"), what_save);
  }
  void check(const std::string& program, const std::string& file, int least, int most) const {
    if (file.empty() == (count == 0)) {
      throw Error("give a file or --generate; see " + program + " --help");
    }
    if (count != 0) {
      check_range("generate", count, least, most);
    }
    check_range("seed", seed, 0, 1000000000);
  }
};

/// The options --output and --format of programs that draw.
struct PictureOptions {
  std::string output;  ///< empty: write no files
  std::string format;

  void add_to(boost::program_options::options_description& options, const std::string& program,
              const std::string& others = "") {
    namespace po = boost::program_options;
    const std::string files = "write " + program + ".svg (or .png)" + (others.empty() ? " and " : ", ") + program +
                              ".gnuplot" + (others.empty() ? "" : " and " + others) + " there";
    options.add_options()("output,o", po::value(&output)->value_name("DIR"), files.c_str())(
        "format", po::value(&format)->value_name("svg|png")->default_value("svg"), "kind of picture");
  }
  /// Before any long work.
  void check() const {
    choice("format", format, picture_formats);
    if (!output.empty()) {
      prepare_directory(output);
    }
  }
  /// gnuplot's terminal for the format.
  const std::string& terminal() const { return picture_formats.at(format); }
};

/// The options --separator and --header of programs that read CSV files.
struct CsvOptions {
  std::string separator;
  std::string header;

  void add_to(boost::program_options::options_description& options) {
    namespace po = boost::program_options;
    options.add_options()("header", po::value(&header)->value_name("auto|yes|no")->default_value("auto"),
                          "is the first row a header?")(
        "separator", po::value(&separator)->value_name("C")->default_value(","), "between fields; 'tab' for a tab");
  }
  template <class Request>
  void apply_to(Request& request) const {
    const std::string given = separator == "tab" ? "\t" : separator;
    if (given.size() != 1 || std::string("\"\r\n").find(given) != std::string::npos) {
      throw Error("--separator must be one character");
    }
    request.separator = given.front();
    request.header =
        choice<Header>("header", header, {{"auto", Header::automatic}, {"yes", Header::yes}, {"no", Header::no}});
  }
};

/// The option --progress of programs with long work.
struct ProgressOption {
  std::string given;

  void add_to(boost::program_options::options_description& options) {
    namespace po = boost::program_options;
    options.add_options()("progress", po::value(&given)->value_name("auto|always|never")->default_value("auto"),
                          "bars on standard error; auto: for long work on a terminal");
  }
  ShowProgress choice() const {
    using enum ShowProgress;
    return example::choice<ShowProgress>("progress", given,
                                         {{"auto", automatic}, {"always", always}, {"never", never}});
  }
};

}  // namespace example
