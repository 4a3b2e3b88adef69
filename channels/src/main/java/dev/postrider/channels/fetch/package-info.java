/**
 * Fetches files from addresses that others gave us, without being talked into reaching what only
 * this house can reach: {@link dev.postrider.channels.fetch.Place} says what an address means,
 * {@link dev.postrider.channels.fetch.Reach} where one may lead, {@link
 * dev.postrider.channels.fetch.Line} holds every connection to it. May touch: core's media, config
 * and store.
 */
@NullMarked
package dev.postrider.channels.fetch;

import org.jspecify.annotations.NullMarked;
