#include "pages.hpp"

int main() {
  tensors_page();
  libraries_page();
  tensorflow_page();
}
