#ifndef TAPELESS_TEST_EMIT_CASES_HPP
#define TAPELESS_TEST_EMIT_CASES_HPP

#include <tapeless/emit.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

/// Writes emitted functions, and a program in C that calls each with inputs and compares the results: bit by bit with
/// those of the library's call, or with others up to a relative tolerance.
class cases {
  std::ofstream functions_, main_;
  std::set<std::string> written_;
  std::string calls_;
  int count_ = 0;

  template <class Argument>
  static constexpr bool are_integers() {
    if constexpr (requires {
                    std::tuple_size<Argument>::value;
                    typename Argument::value_type;
                  })
      return std::is_integral_v<typename Argument::value_type>;
    else
      return std::is_integral_v<Argument>;
  }
  template <class Argument>
  static constexpr bool has_length =
      tapeless::detail::is_vector<Argument> || tapeless::detail::Sequence_argument<Argument>;

  template <class T>
  static std::string literal(T number) {
    if (number != number) return "NAN";
    if (number - number != T(0)) return number > T(0) ? "INFINITY" : "(-INFINITY)";
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%a%s", static_cast<double>(number), std::is_same_v<T, float> ? "f" : "");
    return text.data();
  }
  template <class T, class Argument>
  static std::string argument(const Argument& given) {
    if constexpr (tapeless::is_binding<Argument>) {
      return argument<T>(given.value);
    } else if constexpr (std::is_arithmetic_v<Argument>) {
      return literal(static_cast<T>(given));
    } else if constexpr (tapeless::detail::Record_vector<Argument>) {
      // A pointer for each number of a record.
      std::string all;
      for (std::size_t i = 0; i < std::tuple_size_v<typename Argument::value_type>; ++i) {
        std::vector<T> column;
        for (const auto& record : given) column.push_back(record[i]);
        const std::string text = argument<T>(column);
        all += (i ? ", " : "") + text.substr(0, text.rfind(", "));
      }
      return all + ", " + std::to_string(given.size()) + "U";
    } else {
      std::vector<T> numbers;
      flatten(numbers, given);
      std::string all;
      for (const T number : numbers) all += (all.empty() ? "" : ", ") + literal(number);
      if (all.empty()) all = "0";
      const std::string type = std::is_same_v<T, float> ? "float" : "double";
      const std::string array = "(const " + type + "[]){" + all + "}";
      return has_length<Argument> ? array + ", " + std::to_string(numbers.size()) + "U" : array;
    }
  }
  /// What the argument number `place`, a vector or a number, gives in the parameters of a macro.
  template <class T, class Argument>
  static void replace(std::string& macro, std::vector<std::size_t>& lengths, int& place, const Argument& given) {
    const std::string name = "x" + std::to_string(place++);
    const auto put = [&](const std::string& parameter, const std::string& value) {
      for (const char before : {'(', ' '})
        for (const char after : {',', ')'})
          if (const std::size_t at = macro.find(before + parameter + after); at != std::string::npos)
            macro.replace(at + 1, parameter.size(), value);
    };
    if constexpr (has_length<Argument>)
      put(name + "_length", std::to_string(given.size()) + "U"), lengths.push_back(given.size());
    else if constexpr (std::is_arithmetic_v<Argument>)
      put(name, argument<T>(given));
  }
  /// So many numbers of memory, which begin as NaN, and a sentinel.
  void add_memory(const std::string& type, const std::string& name, const std::string& count) {
    calls_ += "    " + type + " " + name + "[" + count + " + 1];\n    for (size_t k = 0; k < " + count + "; ++k) " +
              name + "[k] = NAN;\n    " + name + "[" + count + "] = 7;\n";
  }
  /// The line of a text that begins with `begin`.
  static std::string line(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find("\n" + begin);
    return at == std::string::npos ? "" : text.substr(at + 1, text.find(end, at + 1) - at);
  }
  /// Begins a case: writes its function once, and returns the line that defines the size of its memory, if any.
  std::string begin(const std::string& name, const std::string& text) {
    ++count_;
    const std::string macro = line(text, "#define " + name + "_scratch", "\n");
    if (written_.insert(name).second) {
      functions_ << text << "\n";
      main_ << line(text, "void " + name + "(", ";") << "\n" << macro;
    }
    return macro;
  }

 public:
  explicit cases(const std::string& folder) : functions_(folder + "/functions.c"), main_(folder + "/main.c") {
    main_ << R"(#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static double scratch[4096];
static int failures = 0;
static void fail(const char *name, int place, double found, double expected) {
  printf("%s, number %d: %a, and not %a\n", name, place, found, expected);
  failures = 1;
}
static void check(const char *name, int place, double found, double expected, double tolerance) {
  int same = tolerance == 0 ? memcmp(&found, &expected, sizeof found) == 0
                            : fabs(found - expected) <= tolerance * fabs(expected);
  if (!same && (found == found || expected == expected)) fail(name, place, found, expected);
}
)";
  }
  ~cases() {
    main_ << "int main(void) {\n" << calls_ << "  return failures;\n}\n";
    if (!functions_ || !main_) std::cerr << "the cases were not written\n";
    std::cout << count_ << " cases of " << written_.size() << " functions\n";
  }

  template <class T, class Value>
  static void flatten(std::vector<T>& to, const Value& value) {
    if constexpr (std::is_same_v<Value, tapeless::Zero>) {
      to.push_back(0);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      to.push_back(static_cast<T>(value));
    } else if constexpr (requires { value.begin(); }) {
      for (const auto& each : value) flatten(to, each);
    } else if constexpr (requires {
                           value.value;
                           value.gradient;
                           value.hessian;
                         }) {
      flatten(to, value.value), flatten(to, value.gradient), flatten(to, value.hessian);
    } else if constexpr (requires {
                           value.value;
                           value.gradient;
                         }) {
      flatten(to, value.value), flatten(to, value.gradient);
    } else if constexpr (requires {
                           value.value;
                           value.jacobian;
                         }) {
      flatten(to, value.value), flatten(to, value.jacobian);
    } else if constexpr (requires {
                           value.value;
                           value.tangent;
                         }) {
      flatten(to, value.value), flatten(to, value.tangent);
    } else {
      tapeless::detail::for_each_index<tapeless::detail::structure<Value>::size>(
          [&](auto i) { flatten(to, tapeless::detail::structure<Value>::template get<i>(value)); });
    }
  }

  /// The leaves of a result over tensors, each a list of its elements.
  template <class T, class Value>
  static void split(std::vector<std::vector<T>>& to, const Value& value) {
    if constexpr (requires { value.value; }) {
      split(to, value.value);
      if constexpr (requires { value.gradient; }) split(to, value.gradient);
      if constexpr (requires { value.tangent; }) split(to, value.tangent);
      if constexpr (requires { value.jacobian; }) split(to, value.jacobian);
      if constexpr (requires { value.hessian; }) split(to, value.hessian);
    } else if constexpr (requires { *value.begin() + T(1); } || std::is_arithmetic_v<Value>) {
      to.emplace_back(), flatten(to.back(), value);
    } else if constexpr (requires { value.begin(); }) {
      for (const auto& each : value) split(to, each);
    } else {
      tapeless::detail::for_each_index<tapeless::detail::structure<Value>::size>(
          [&](auto i) { split(to, tapeless::detail::structure<Value>::template get<i>(value)); });
    }
  }

  /// The call with `arguments`, whose results are to be `expected`: value, gradient, ..., in the order of the results.
  template <class T, class... Arguments>
  void add(const std::string& name, const std::string& text, const std::vector<T>& expected, double tolerance,
           const std::string& seeds, const Arguments&... arguments) {
    const std::string type = std::is_same_v<T, float> ? "float" : "double";
    const std::string macro = begin(name, text);
    // What the comment says of the results, such as value[1], gradient[3].
    std::vector<std::size_t> lengths;
    // The macro, which takes some parameters.
    std::string number = macro.substr(0, macro.find(" (")).substr(macro.empty() ? 0 : sizeof "#define");
    int place = 0;
    (replace<T>(number, lengths, place, arguments), ...);
    std::string results = line(text, "   Results: ", ".");
    std::string all, checks;
    (..., (all += (all.empty() ? "" : ", ") + argument<T>(arguments)));
    if (!seeds.empty()) all += ", " + seeds;
    std::size_t next = 0, sequence = 0, r = 0;
    for (std::size_t at = results.find('['); at != std::string::npos; at = results.find('[', at + 1)) {
      const std::string size = results.substr(at + 1, results.find(']', at) - at - 1);
      const std::size_t count = size == "its length" ? lengths.at(sequence++) : std::stoul(size);
      const std::string result = "r" + std::to_string(r);
      checks += "    " + type + " " + result + "[" + std::to_string(count + 1) + "];\n";
      all += (all.empty() ? "" : ", ") + result;
      next += count, ++r;
    }
    if (next != expected.size())
      std::cerr << name << " has " << next << " results, expected " << expected.size() << "\n", std::exit(1);
    calls_ += "  {\n" + checks;
    if (!macro.empty()) {
      calls_ += "    " + type + " *memory = (" + type + " *)scratch;\n    memory[" + number + "] = 7;\n";
      all += ", memory";
      checks = "    if (memory[" + number + "] != 7) fail(\"" + name + ", memory\", 0, 0, 7);\n";
    } else {
      checks.clear();
    }
    calls_ += "    " + name + "(" + all + ");\n" + checks;
    next = sequence = r = 0;
    for (std::size_t at = results.find('['); at != std::string::npos; at = results.find('[', at + 1)) {
      const std::string size = results.substr(at + 1, results.find(']', at) - at - 1);
      const std::size_t count = size == "its length" ? lengths.at(sequence++) : std::stoul(size);
      const std::string result = "r" + std::to_string(r++);
      for (std::size_t k = 0; k < count; ++k, ++next)
        calls_ += "    check(\"" + name + "\", " + std::to_string(next) + ", " + result + "[" + std::to_string(k) +
                  "], " + literal(expected[next]) + ", " + literal(tolerance) + ");\n";
    }
    calls_ += "  }\n";
  }

  /// The same over tensors: `expected` has the elements of each result, row by row, and `given` those of each tensor,
  /// or a number. Axes and memory are those that the text asks for, with a sentinel behind each array.
  template <class T, class... Arguments>
  void add_tensors(const std::string& name, const std::string& text, const std::vector<std::vector<T>>& expected,
                   double tolerance, const Arguments&... given) {
    const std::string type = std::is_same_v<T, float> ? "float" : "double";
    const std::string macro = begin(name, text);
    calls_ += "  {\n";
    std::map<std::string, std::size_t> extents;
    std::string inputs = line(text, "   Inputs: ", ".\n"), all;
    std::size_t at = inputs.find(':') + 2;
    const auto take = [&](const auto& argument) {
      std::vector<T> numbers;
      flatten(numbers, argument);
      const std::size_t end = std::min(inputs.find(", ", at), inputs.size());
      if constexpr (are_integers<std::remove_cvref_t<decltype(argument)>>()) {
        // Those that extents depend on have the name of the parameter.
        const std::string id = inputs.substr(at, inputs.find_first_of(",[.", at) - at);
        std::string list;
        for (const T number : numbers) list += (list.empty() ? "" : ", ") + literal(number);
        const bool one = std::is_arithmetic_v<std::remove_cvref_t<decltype(argument)>>;
        calls_ += "    const ptrdiff_t " + id + (one ? " = " + list : "[] = {" + list + "}") + ";\n";
        all += (all.empty() ? "" : ", ") + id;
      } else if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(argument)>>) {
        all += (all.empty() ? "" : ", ") + literal(numbers[0]);
      } else {
        if constexpr (requires { argument.shape(); })
          for (std::size_t k = 0, from = at; k < argument.dimension(); ++k) {
            from = inputs.find('[', from) + 1;
            const std::string axis = inputs.substr(from, inputs.find(']', from) - from);
            if (axis[0] == 'n') extents[axis] = argument.shape()[k];
          }
        else if (const std::size_t from = inputs.find('[', at) + 1; inputs[from] == 'n')
          extents[inputs.substr(from, inputs.find(']', from) - from)] = numbers.size();
        std::string list;
        for (const T number : numbers) list += (list.empty() ? "" : ", ") + literal(number);
        const std::string id = "a" + std::to_string(at);
        using element = std::remove_cvref_t<decltype(*argument.begin())>;
        const std::string own = !std::is_integral_v<element> ? type
                                                             : (std::is_signed_v<element> ? "int" : "uint") +
                                                                   std::to_string(8 * sizeof(element)) + "_t";
        calls_ += "    static const " + own + " " + id + "[] = {" + (list.empty() ? "0" : list) + "};\n";
        all += (all.empty() ? "" : ", ") + id;
      }
      at = end + 2;
    };
    (take(given), ...);
    for (const auto& [axis, extent] : extents) {
      calls_ += "    const size_t " + axis + " = " + std::to_string(extent) + "U;\n";
      all += ", " + axis;
    }
    const std::string results = line(text, "   Results: ", ". */");
    std::size_t r = 0;
    std::string checks;
    for (std::size_t from = results.find(':') + 2; from < results.size(); ++r) {
      const std::size_t end = std::min(results.find(", ", from), results.size());
      std::string size = "1";
      for (std::size_t open = results.find('[', from); open < end; open = results.find('[', open + 1))
        size += " * (" + results.substr(open + 1, results.find(']', open) - open - 1) + ")";
      const std::string id = "r" + std::to_string(r);
      if (r == expected.size()) std::cerr << name << " has more results\n", std::exit(1);
      add_memory(type, id, size);
      const std::size_t count = expected[r].size();
      checks += "    if (sizeof " + id + " / sizeof *" + id + " != " + std::to_string(count + 1) + " || " + id + "[" +
                std::to_string(count) + "] != 7) fail(\"" + name + ", size of " + id + "\", 0, 0, 7);\n";
      for (std::size_t k = 0; k < count; ++k)
        checks += "    check(\"" + name + ", " + id + "\", " + std::to_string(k) + ", " + id + "[" + std::to_string(k) +
                  "], " + literal(expected[r][k]) + ", " + literal(tolerance) + ");\n";
      all += ", " + id;
      from = end + 2;
    }
    if (r != expected.size()) std::cerr << name << " has fewer results\n", std::exit(1);
    if (!macro.empty()) {
      const std::string number = macro.substr(sizeof "#define", macro.find(" (") - sizeof "#define");
      add_memory(type, "memory", number);
      checks += "    if (memory[" + number + "] != 7) fail(\"" + name + ", memory\", 0, 0, 7);\n";
      all += ", memory";
    }
    calls_ += "    " + name + "(" + all + ");\n" + checks + "  }\n";
  }

  /// The verb of a function with arguments: what the library's own call gives.
  template <tapeless::fixed_string Name, class Verb, class... Arguments>
  void check(const Verb& verb, const Arguments&... arguments) {
    check_seeded<Name>("", verb, arguments...);
  }
  template <tapeless::fixed_string Name, class Verb, class... Arguments>
  void check_seeded(const std::string& seeds, const Verb& verb, const Arguments&... arguments) {
    using T = tapeless::detail::function_real_t<Arguments...>;
    std::vector<T> expected;
    flatten(expected, verb(arguments...));
    add(std::string(Name.view()), tapeless::emit<tapeless::c99, Name>(verb, arguments...).text().str(), expected, 0.0,
        seeds, arguments...);
  }
  /// The same where the results are known.
  template <tapeless::fixed_string Name, class Verb, class... Arguments>
  void check_known(const std::vector<double>& known, double tolerance, const Verb& verb,
                   const Arguments&... arguments) {
    add(std::string(Name.view()), tapeless::emit<tapeless::c99, Name>(verb, arguments...).text().str(), known,
        tolerance, "", arguments...);
  }
};

#endif
