package dev.postrider.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MediaKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypesTest {
  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "FFD8FFE000104A46, image/jpeg",
    "89504E470D0A1A0A, image/png",
    "474946383961, image/gif",
    "52494646000000005745425056503820, image/webp",
    "0000001C6674797068656963, image/heic",
    "0000001C667479706D696631, image/heif",
    "0000001C6674797061766966, image/avif",
    "0000001C6674797069736F6D, video/mp4",
    "000000146674797071742020, video/quicktime",
    "0000001C667479704D344120, audio/mp4",
    "1A45DFA3, video/webm",
    "49443304000000000000, audio/mpeg",
    "49443304000000008000, application/octet-stream",
    "424D460000000000000036000000280000000100, image/bmp",
    "D0CF11E0A1B11AE1, application/x-ole-storage",
    "FFFB9064, audio/mpeg",
    "FFF15080, audio/aac",
    "4F676753000200, audio/ogg",
    "524946460000000057415645, audio/wav",
    "664C6143, audio/flac",
    "255044462D312E37, application/pdf",
    "504B0304, application/zip",
    "00010203, application/octet-stream",
    "'', application/octet-stream"
  })
  void the_first_bytes_tell_the_type(String hex, String type) {
    assertThat(MediaTypes.of(java.util.HexFormat.of().parseHex(hex))).isEqualTo(type);
  }

  @Test
  void text_is_text_in_any_script() {
    assertThat(MediaTypes.of("hello, wörld\n".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("text/plain");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "BM is how a bitmap begins, and this is none",
        "BMW builds cars and other things that move",
        "ID3 tags are found in songs",
        "ID3",
        "BM"
      })
  void text_that_begins_like_a_picture_or_a_song_is_text(String text) {
    assertThat(MediaTypes.of(latin(text))).isEqualTo("text/plain");
  }

  @ParameterizedTest
  @CsvSource({
    "[Content_Types].xml;word/document.xml, docx",
    "[Content_Types].xml;_rels/.rels;xl/workbook.xml, xlsx",
    "_rels/.rels;ppt/presentation.xml, pptx",
    "mimetype=application/vnd.oasis.opendocument.text;content.xml, odt",
    "mimetype=application/vnd.oasis.opendocument.spreadsheet;content.xml, ods",
    "mimetype=application/epub+zip;OEBPS/a.html, epub",
    "word/notes.txt;a.txt, zip"
  })
  void what_an_archive_is_for_is_told_by_the_files_in_it(String files, String extension)
      throws IOException {
    assertThat(MediaTypes.of(zip(files.split(";")))).isEqualTo(MediaTypes.byName("a." + extension));
  }

  /** An archive; a file may have its content after an equals sign, and is stored as it is then. */
  private static byte[] zip(String... files) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String file : files) {
        String[] both = file.split("=");
        ZipEntry entry = new ZipEntry(both[0]);
        byte[] content = latin(both.length == 1 ? "some content" : both[1]);
        if (both.length == 2) {
          CRC32 checksum = new CRC32();
          checksum.update(content);
          entry.setMethod(ZipEntry.STORED);
          entry.setSize(content.length);
          entry.setCrc(checksum.getValue());
        }
        zip.putNextEntry(entry);
        zip.write(content);
      }
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @CsvSource({
    "application/zip, report.odt, application/vnd.oasis.opendocument.text",
    "application/x-ole-storage, table.XLS, application/vnd.ms-excel",
    "text/plain, people.csv, text/csv",
    "text/plain, cat.png, text/plain",
    "application/zip, song.mp3, application/zip",
    "image/png, page.html, image/png",
    "text/plain, , text/plain"
  })
  void a_name_may_say_more_than_the_bytes_but_nothing_else(
      String type, String name, String expected) {
    assertThat(MediaTypes.of(type, name)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "cat.JPG, image/jpeg",
    "https://example.org/a/cat.png?size=1.mp4#x.gif, image/png",
    "archive.tar.gz, application/gzip",
    "speech.opus, audio/ogg"
  })
  void a_name_lets_expect_a_type(String name, String type) {
    assertThat(MediaTypes.byName(name)).isEqualTo(type);
  }

  @Test
  void a_name_may_say_nothing() {
    assertThat(MediaTypes.byName("https://example.org/download")).isNull();
    assertThat(MediaTypes.byName("cat.")).isNull();
  }

  @Test
  void a_file_without_a_name_gets_one() {
    assertThat(MediaTypes.name(MediaKind.IMAGE, "image/jpeg")).isEqualTo("image.jpg");
    assertThat(MediaTypes.name(MediaKind.DOCUMENT, "application/pdf")).isEqualTo("document.pdf");
    assertThat(MediaTypes.name(MediaKind.DOCUMENT, MediaTypes.UNKNOWN)).isEqualTo("document");
    assertThat(MediaTypes.name(MediaKind.VIDEO, null)).isEqualTo("video");
    assertThat(MediaTypes.name(MediaKind.DOCUMENT, "application/msword")).isEqualTo("document.doc");
    assertThat(MediaTypes.name(MediaKind.AUDIO, "audio/ogg")).isEqualTo("audio.ogg");
  }
}
