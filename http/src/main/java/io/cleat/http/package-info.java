/**
 * The server that speaks HTTP: listeners, framing, who is let in, how queries are read and answers written, pages,
 * filters, web sockets and the way to other agents. It knows no resource of the cluster; whoever has one brings a
 * {@link io.cleat.http.Route}.
 *
 * <p>Receives: requests. Hands on: requests to the route that they match, and its replies as bytes. Runs on: a virtual
 * thread per request. If it fails: one class turns each refusal and each trouble into a status and a text.
 */
@NullMarked
package io.cleat.http;

import org.jspecify.annotations.NullMarked;
