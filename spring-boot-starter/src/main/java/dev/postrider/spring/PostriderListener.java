package dev.postrider.spring;

import dev.postrider.inbound.InboundMessage;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method of a bean handle what people write. It may take the {@link
 * dev.postrider.store.inbound.StoredInbound}, its {@link InboundMessage} and the {@link
 * dev.postrider.Turn}. When it returns, the message is handled; what it returns is the reply: a
 * text, a {@link dev.postrider.message.Message}, several of them in a collection, or nothing. If it
 * throws, it is given the message again later.
 *
 * <p>Messages of one session come one after the other, sessions side by side. What comes in on
 * these accounts and is of a kind that no method takes counts as handled.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface PostriderListener {
  /** Of which accounts; all that are configured, unless given. */
  String[] accounts() default {};

  /** What must have happened. */
  InboundMessage.Kind[] kinds() default InboundMessage.Kind.MESSAGE;
}
