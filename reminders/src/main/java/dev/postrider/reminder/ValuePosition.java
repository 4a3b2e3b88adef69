package dev.postrider.reminder;

/** Where in a Markdown text a value stands, which decides how it is put in. */
enum ValuePosition {
  /** In running text, where it may have several lines. */
  TEXT,
  /** In a heading, a cell of a table, a title: one line. */
  LINE,
  /** In the address of a link: one word. */
  ADDRESS,
  /** In an address between angle brackets: one word, and nothing can be escaped. */
  BARE_ADDRESS,
  /** In code, where nothing can be escaped: one line. */
  CODE,
  /** In code in a cell of a table, where a bar would end the cell. */
  CODE_IN_CELL,
  /** In a block of code, where it may have several lines. */
  CODE_BLOCK
}
