/**
 * E-mail: SMTP out, IMAP in. {@link dev.postrider.channels.email.OutgoingMail} is what is sent,
 * {@link dev.postrider.channels.email.SmtpSubmission} how, and {@link
 * dev.postrider.channels.email.SmtpVerdict} reads the result; {@link
 * dev.postrider.channels.email.Mailbox} listens. Nobody promises to drop a repeated Message-ID:
 * only between the final dot and its answer is an outcome unknown.
 */
@NullMarked
package dev.postrider.channels.email;

import org.jspecify.annotations.NullMarked;
