package dev.postrider.message;

/** A change that lets a refused part pass. Each kind is applied to a part at most once. */
public sealed interface Fix {

  /** Send the part's plain source instead of its markup. */
  record PlainText() implements Fix {}

  /** Send without quoting the message it replies to. */
  record DropReply() implements Fix {}

  /** The chat has moved: send to this id instead. */
  record NewChat(String to) implements Fix {}

  /** The platform could not fetch the address, or has lost the handle: upload the bytes. */
  record UploadInstead() implements Fix {}

  /** The platform cannot show the files as what they are: send them as documents. */
  record AsDocument() implements Fix {}

  /** It was refused together with others: send it in a request of its own. */
  record Alone() implements Fix {}

  /** The files cannot be sent at all: send their addresses as text. */
  record LinkInstead() implements Fix {}
}
