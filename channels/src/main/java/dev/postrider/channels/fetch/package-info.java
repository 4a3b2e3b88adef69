/**
 * Fetches files from addresses that others gave us, and posts to them, without being talked into
 * reaching what only this machine can reach: {@link dev.postrider.channels.fetch.FetchAddress} says
 * what an address means, {@link dev.postrider.channels.fetch.AllowedAddresses} where one may lead,
 * {@link dev.postrider.channels.fetch.FetchChain} holds every connection to it. May touch: core's
 * media, config and store, and what channels over HTTP share.
 */
@NullMarked
package dev.postrider.channels.fetch;

import org.jspecify.annotations.NullMarked;
