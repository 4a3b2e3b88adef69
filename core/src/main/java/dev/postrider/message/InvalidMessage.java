package dev.postrider.message;

/** A message that cannot be accepted as it is; names the field and the remedy. */
public final class InvalidMessage extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final String field;

  public InvalidMessage(String field, String problem) {
    super(problem);
    this.field = field;
  }

  public String field() {
    return field;
  }
}
