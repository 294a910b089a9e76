#pragma once

namespace kalman {

/// While one lives, operator new ends the program.
class HeapForbidden {
 public:
  HeapForbidden() noexcept;
  HeapForbidden(const HeapForbidden&) = delete;
  HeapForbidden& operator=(const HeapForbidden&) = delete;
  ~HeapForbidden();
};

}  // namespace kalman
