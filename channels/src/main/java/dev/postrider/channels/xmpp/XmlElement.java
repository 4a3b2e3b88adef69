package dev.postrider.channels.xmpp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An element of XML with its attributes, its text and the elements in it. Written out, it cannot be
 * anything but that one element, whatever texts it holds: what is markup is escaped, and what XML
 * does not know is left out. Immutable: each step gives a new one.
 */
record XmlElement(
    String name,
    String namespace,
    Map<String, String> attributes,
    String text,
    List<XmlElement> children)
    implements Iterable<XmlElement> {

  XmlElement {
    attributes = Map.copyOf(attributes);
    children = List.copyOf(children);
  }

  /** What stands in a stanza without a word of its own. */
  static final String CLIENT = "jabber:client";

  static XmlElement of(String name, String namespace) {
    return new XmlElement(name, namespace, Map.of(), "", List.of());
  }

  /** A stanza, or one of the elements that belong to stanzas. */
  static XmlElement client(String name) {
    return of(name, CLIENT);
  }

  /** With an attribute; without it, if there is no value. */
  XmlElement with(String attribute, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    Map<String, String> all = new LinkedHashMap<>(attributes);
    all.put(attribute, value.toString());
    return new XmlElement(name, namespace, all, text, children);
  }

  XmlElement text(String other) {
    return new XmlElement(name, namespace, attributes, other, children);
  }

  XmlElement add(XmlElement... more) {
    return new XmlElement(
        name,
        namespace,
        attributes,
        text,
        Stream.concat(children.stream(), Stream.of(more)).toList());
  }

  @Override
  public Iterator<XmlElement> iterator() {
    return children.iterator();
  }

  boolean is(String otherName, String otherNamespace) {
    return name.equals(otherName) && namespace.equals(otherNamespace);
  }

  /** An attribute, or null if it is not there. */
  @Nullable String get(String attribute) {
    return attributes.get(attribute);
  }

  String get(String attribute, String otherwise) {
    return attributes.getOrDefault(attribute, otherwise);
  }

  /** The first such element in it, or null. */
  @Nullable XmlElement child(String childName, String childNamespace) {
    for (XmlElement child : children) {
      if (child.is(childName, childNamespace)) {
        return child;
      }
    }
    return null;
  }

  List<XmlElement> all(String childName, String childNamespace) {
    List<XmlElement> found = new ArrayList<>(children);
    found.removeIf(child -> !child.is(childName, childNamespace));
    return found;
  }

  /** The text of the first such element in it; null if there is none. */
  @Nullable String textOf(String childName, String childNamespace) {
    XmlElement child = child(childName, childNamespace);
    return child == null ? null : child.text;
  }

  /** As it goes over a stream of a client. */
  String xml() {
    StringBuilder out = new StringBuilder();
    write(out, CLIENT);
    return out.toString();
  }

  private void write(StringBuilder out, String around) {
    out.append('<').append(name);
    if (!namespace.equals(around)) {
      out.append(" xmlns='").append(escaped(namespace)).append('\'');
    }
    attributes.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            attribute ->
                out.append(' ')
                    .append(attribute.getKey())
                    .append("='")
                    .append(escaped(attribute.getValue()))
                    .append('\''));
    if (text.isEmpty() && children.isEmpty()) {
      out.append("/>");
      return;
    }
    out.append('>').append(escaped(text));
    children.forEach(child -> child.write(out, namespace));
    out.append("</").append(name).append('>');
  }

  /** Text as XML has it. */
  static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\'' -> out.append("&apos;");
                case '"' -> out.append("&quot;");
                default -> {
                  if (isXml(c)) {
                    out.appendCodePoint(c);
                  }
                }
              }
            });
    return out.toString();
  }

  /** What XML 1.0 has a place for. */
  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= ' ' && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }
}
