#pragma once

#include "error.hpp"
#include "progress.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace example {

enum class Header { automatic, yes, no };

struct ColumnRequest {
  std::string column;  ///< a name from the header row or a number counted from 1
  char separator = ',';
  Header header = Header::automatic;
};

struct Column {
  std::string name;
  std::vector<double> values;
  std::size_t empty_cells = 0;  ///< skipped
};

struct TableRequest {
  bool labelled = false;  ///< the last column is text
  char separator = ',';
  Header header = Header::automatic;
};

/// The numbers of a file, row by row, and with each row the text of the last column if that was asked for.
struct Table {
  std::vector<std::string> names;  ///< of the columns of numbers
  std::vector<double> numbers;     ///< rows x names.size()
  std::string label_name;
  std::vector<std::string> labels;
  std::size_t rows = 0;
};

/// The records of RFC 4180 text: quoted fields with doubled quotes, line breaks inside quotes, LF, CRLF or CR
/// line ends. Blank lines are skipped. Fields are views into the text.
class CsvRecords {
 public:
  CsvRecords(std::string_view text, char separator) : text_(text), separator_(separator) {}

  /// Reads the next record; false at the end of the text.
  bool next() {
    while (at_ < text_.size()) {
      line_ = next_line_;
      fields_.clear();
      do {
        fields_.push_back(field());
      } while (consume_separator());
      consume_line_end();
      if (fields_.size() > 1 || !fields_.front().empty()) {
        return true;
      }
    }
    return false;
  }

  /// Fields without surrounding blanks; a quoted one still has its quotes.
  const std::vector<std::string_view>& fields() const { return fields_; }
  /// The line the record starts on, counted from 1.
  std::size_t line() const { return line_; }
  std::size_t position() const { return at_; }

 private:
  bool blank(char c) const { return (c == ' ' || c == '\t') && c != separator_; }

  std::string_view field() {
    while (at_ < text_.size() && blank(text_[at_])) {
      ++at_;
    }
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '"') {
      skip_quoted();
      const std::size_t end = at_;
      while (at_ < text_.size() && blank(text_[at_])) {
        ++at_;
      }
      if (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') {
        throw Error("line " + std::to_string(next_line_) + ": text after a closing quote");
      }
      return text_.substr(begin, end - begin);
    }
    while (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') {
      ++at_;
    }
    std::size_t end = at_;
    while (end > begin && blank(text_[end - 1])) {
      --end;
    }
    return text_.substr(begin, end - begin);
  }

  void skip_quoted() {
    const std::size_t opened_on = next_line_;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        ++next_line_;
      } else if (text_[at_] == '"') {
        ++at_;
        if (at_ == text_.size() || text_[at_] != '"') {
          return;
        }
      }
    }
    throw Error("line " + std::to_string(opened_on) + ": a quote is opened and never closed");
  }

  bool consume_separator() {
    if (at_ < text_.size() && text_[at_] == separator_) {
      ++at_;
      return true;
    }
    return false;
  }

  void consume_line_end() {
    if (at_ < text_.size() && text_[at_] == '\r') {
      ++at_;
      if (at_ == text_.size() || text_[at_] != '\n') {
        ++next_line_;
        return;
      }
    }
    if (at_ < text_.size() && text_[at_] == '\n') {
      ++at_;
      ++next_line_;
    }
  }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
  std::vector<std::string_view> fields_;
};

/// The text of a field, without its quotes.
inline std::string unquoted(std::string_view field) {
  if (!field.starts_with('"')) {
    return std::string(field);
  }
  std::string result;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    result += field[i];
    i += field[i] == '"';
  }
  return result;
}

/// The finite number that the whole field spells, in the C locale whatever the user's, or nothing.
inline std::optional<double> number(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"') {
    field = field.substr(1, field.size() - 2);
  }
  if (field.starts_with('+') && !field.starts_with("+-")) {
    field.remove_prefix(1);
  }
  double value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, status] = std::from_chars(field.data(), end, value);
  if (status != std::errc{} || stop != end || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

inline std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) {
    throw Error(path + ": cannot be opened: " + std::strerror(errno));
  }
  std::string text;
  constexpr std::size_t block = 1 << 20;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + block);
    const std::size_t got = std::fread(text.data() + size, 1, block, file.get());
    text.resize(size + got);
    if (got < block) {
      break;
    }
  }
  if (std::ferror(file.get()) != 0) {
    throw Error(path + ": cannot be read: " + std::strerror(errno));
  }
  if (text.starts_with("\xef\xbb\xbf")) {
    text.erase(0, 3);
  }
  return text;
}

/// A first row is a header when it has text and no number in it, or when it holds the requested name.
inline bool is_header(const std::vector<std::string_view>& first, Header header, const std::string& column = {}) {
  if (header != Header::automatic) {
    return header == Header::yes;
  }
  bool has_number = false;
  bool has_text = false;
  for (const auto field : first) {
    const bool numeric = number(field).has_value();
    if (!numeric && !column.empty() && unquoted(field) == column) {
      return true;
    }
    has_number = has_number || numeric;
    has_text = has_text || (!numeric && !field.empty());
  }
  return has_text && !has_number;
}

/// The position of the requested column, from 0: a name in the header first, then a number counted from 1.
inline std::size_t find_column(const std::vector<std::string_view>& first, bool header, const std::string& column) {
  if (header) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (unquoted(first[i]) == column) {
        return i;
      }
    }
  }
  std::size_t position = 0;
  const char* const end = column.data() + column.size();
  const auto [stop, status] = std::from_chars(column.data(), end, position);
  if (status == std::errc{} && stop == end && position >= 1 && position <= first.size()) {
    return position - 1;
  }
  std::string known = "columns 1 to " + std::to_string(first.size());
  if (header) {
    known = "the columns are";
    for (const auto field : first) {
      known += (field.data() == first.front().data() ? " '" : ", '") + printable(unquoted(field)) + "'";
    }
  } else {
    known = "no header row, " + known;
  }
  throw Error("no column '" + printable(column) + "' (" + printable(known, 200) + ")");
}

inline std::string place(const CsvRecords& records, std::size_t row) {
  return "row " + std::to_string(row) + " (line " + std::to_string(records.line()) + ")";
}

inline void check_width(const CsvRecords& records, std::size_t row, std::size_t width) {
  if (records.fields().size() != width) {
    throw Error(place(records, row) + " has " + std::to_string(records.fields().size()) +
                " fields where the first has " + std::to_string(width));
  }
}

inline void report(Progress& progress, const CsvRecords& records, std::size_t row, std::size_t size) {
  if (row % 65536 == 0) {
    progress.update(static_cast<double>(records.position()) / static_cast<double>(size), std::to_string(row) + " rows");
  }
}

/// Reads one column of a CSV file. Empty cells are skipped and counted; any other cell that is no finite number,
/// and any row whose number of fields differs from the first row's, is an error that names the place.
inline Column read_column(const std::string& path, const ColumnRequest& request, ShowProgress show) {
  const std::string text = read_file(path);
  Progress progress(show, text.size() >= 4'000'000, "reading");
  CsvRecords records(text, request.separator);
  Column column;
  try {
    if (!records.next()) {
      throw Error("the file is empty");
    }
    const std::size_t width = records.fields().size();
    const bool header = is_header(records.fields(), request.header, request.column);
    const std::size_t position = find_column(records.fields(), header, request.column);
    column.name = header ? printable(unquoted(records.fields()[position])) : std::to_string(position + 1);

    std::size_t row = 0;
    for (bool more = !header || records.next(); more; more = records.next()) {
      ++row;
      check_width(records, row, width);
      const std::string_view field = records.fields()[position];
      if (const auto value = number(field)) {
        column.values.push_back(*value);
      } else if (const std::string cell = unquoted(field); cell.find_first_not_of(" \t") == std::string::npos) {
        ++column.empty_cells;
      } else {
        throw Error(place(records, row) + ", column '" + column.name + "': '" + printable(cell) +
                    "' is not a finite number");
      }
      report(progress, records, row, text.size());
    }
    if (row == 0) {
      throw Error("there is no row below the header");
    }
    if (column.values.empty()) {
      throw Error("column '" + column.name + "' is empty in all " + std::to_string(row) + " rows");
    }
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  return column;
}

/// Reads all columns of a CSV file. Every cell must be a finite number, but for those of a last column of labels, which
/// must not be empty; what is wrong is an error that names the place.
inline Table read_table(const std::string& path, const TableRequest& request, ShowProgress show) {
  const std::string text = read_file(path);
  Progress progress(show, text.size() >= 4'000'000, "reading");
  CsvRecords records(text, request.separator);
  Table table;
  try {
    if (!records.next()) {
      throw Error("the file is empty");
    }
    const std::size_t width = records.fields().size();
    const std::size_t numbers = width - (request.labelled ? 1 : 0);
    if (numbers == 0) {
      throw Error("there is only one column: no numbers before the labels");
    }
    const bool header = is_header(records.fields(), request.header);
    for (std::size_t i = 0; i < width; ++i) {
      std::string name = header ? printable(unquoted(records.fields()[i])) : std::to_string(i + 1);
      if (i < numbers) {
        table.names.push_back(std::move(name));
      } else {
        table.label_name = std::move(name);
      }
    }

    for (bool more = !header || records.next(); more; more = records.next()) {
      ++table.rows;
      check_width(records, table.rows, width);
      for (std::size_t i = 0; i < numbers; ++i) {
        const std::string_view field = records.fields()[i];
        if (const auto value = number(field)) {
          table.numbers.push_back(*value);
        } else {
          throw Error(place(records, table.rows) + ", column '" + table.names[i] + "': '" + printable(unquoted(field)) +
                      "' is not a finite number");
        }
      }
      if (request.labelled) {
        table.labels.push_back(unquoted(records.fields().back()));
        if (table.labels.back().empty()) {
          throw Error(place(records, table.rows) + ", column '" + table.label_name + "': no label");
        }
      }
      report(progress, records, table.rows, text.size());
    }
    if (table.rows == 0) {
      throw Error("there is no row below the header");
    }
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  return table;
}

}  // namespace example
