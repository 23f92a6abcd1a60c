package io.cleat.http;

/**
 * Which part of an allocation's file is wanted.
 *
 * @param path from the allocation's directory; as the client wrote it
 * @param offset in bytes from {@code origin}; never negative
 * @param fromEnd whether {@code offset} counts back from the end
 * @param most bytes; {@link Long#MAX_VALUE} for all
 * @param follow whether to wait for more at the end
 */
public record FileQuery(String allocId, String path, long offset, boolean fromEnd, long most, boolean follow) {}
