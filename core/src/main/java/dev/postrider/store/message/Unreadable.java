package dev.postrider.store.message;

/**
 * Why a row's content cannot be read.
 *
 * @param because names the row's key, or says that the content is damaged
 * @param forGood whether nothing will help; else a key is missing that somebody may have
 */
public record Unreadable(String because, boolean forGood) {}
