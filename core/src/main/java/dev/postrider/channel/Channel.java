package dev.postrider.channel;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of platform. Found by {@link java.util.ServiceLoader}, so a channel can come from
 * anybody's jar.
 */
public interface Channel {

  /** The name used in configuration: {@code telegram}. */
  String name();

  /** The settings an account of this channel may or must have besides the common ones. */
  default List<Setting> settings() {
    return List.of();
  }

  /**
   * Refuses an account whose settings cannot work together. Asked when a configuration is read, so
   * that a mistake is told by its line and not by a broken account.
   *
   * @throws IllegalArgumentException that names the setting and the remedy
   */
  default void checkAccount(AccountConfig account) {}

  Capabilities capabilities(AccountConfig account);

  /**
   * A limit that an account has in common with others of the channel, because one server stands
   * behind them; null if there is none. {@link ThrottleScope#CHANNEL} then means that server.
   */
  default @Nullable SharedPace sharedPace(AccountConfig account) {
    return null;
  }

  /**
   * How messages are delivered where no configuration says otherwise. A channel changes what is not
   * as usual: {@code usual.with(s -> s.expireAfter = Duration.ofDays(5))}.
   */
  default DeliverySettings delivery(DeliverySettings usual) {
    return usual;
  }

  /**
   * A chat's address in the one form by which its lane, its session and its pace are known, however
   * people write it. Joins only what is certainly the same chat, and refuses only what certainly is
   * no address. What comes out goes through unchanged a second time. Asks nobody.
   *
   * @throws InvalidInput naming {@code to}, the reason and the remedy
   */
  default String canonical(AccountConfig account, String to) {
    return to.isBlank() ? to : to.strip();
  }

  /**
   * Refuses, before it is accepted, what the platform could only refuse: channel data it does not
   * know, an id it could not have given.
   *
   * @throws InvalidInput naming the field and the remedy
   */
  default void check(Message message, Plan plan) {}

  /**
   * Where the platform delivers webhooks for this account; null if it has none, or if the account
   * is not configured for them.
   */
  default @Nullable Hook hook(AccountConfig account) {
    return null;
  }

  /**
   * Where the files of the account's inbound messages are opened; null if the channel has none.
   *
   * @param media how files are fetched from addresses that others have named
   */
  default @Nullable InboundFiles inboundFiles(AccountConfig account, MediaSettings media) {
    return null;
  }

  /**
   * Opens the account's connection. Must return quickly: a channel that needs time to connect does
   * so on a thread of its own and reports through {@link AccountContext#notReady} and {@link
   * AccountContext#ready}.
   */
  Link open(AccountContext context);

  /** Whether a person lets the account in, on their phone: see {@link Link#login}. */
  default boolean takesLogin(AccountConfig account) {
    return false;
  }

  /**
   * What several accounts may send together.
   *
   * @param server what they have in common; accounts that name the same share the pace
   * @param pace of all that one process works, where no configuration gives the channel another
   */
  record SharedPace(String server, Pace pace) {}

  /**
   * One setting of a channel.
   *
   * @param secret never shown, not even in part; and never blank
   */
  record Setting(String name, boolean required, boolean secret, String description) {

    /**
     * Refuses a secret, or one of several, in which nothing can be seen: whoever is checked against
     * it would be let in.
     *
     * @throws IllegalArgumentException with half a sentence
     */
    public static void requireSecret(@Nullable Object value) {
      switch (value) {
        case null -> {}
        case Collection<?> many when !many.isEmpty() -> many.forEach(Setting::requireSecret);
        case Object one -> {
          if (one instanceof Collection<?>
              || one.toString().codePoints().allMatch(Setting::unseen)) {
            throw new IllegalArgumentException(
                "must not be blank: it would keep nobody out. Give the secret, or leave the key"
                    + " out where it is not needed");
          }
        }
      }
    }

    private static boolean unseen(int character) {
      return Character.isWhitespace(character)
          || Character.isSpaceChar(character)
          || Character.isISOControl(character)
          || Character.getType(character) == Character.FORMAT;
    }
  }
}
