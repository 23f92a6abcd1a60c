/**
 * The client's side of HTTP/1.1, one request per connection, over TCP or a Unix socket: what the API's client and the
 * client of a container engine are built on (docs/decisions/http-client.md).
 *
 * <p>Receives: an address, a request. Hands on: the reply, read as it comes. Runs on: the caller's thread; keeps
 * nothing. If it fails: an {@link java.io.IOException}; whether the request had an effect is for the caller to judge.
 */
@NullMarked
package io.cleat.exchange;

import org.jspecify.annotations.NullMarked;
