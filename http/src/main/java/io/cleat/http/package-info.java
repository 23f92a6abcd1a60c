/**
 * The HTTP API: a table of routes over {@link io.cleat.http.ClusterApi} and {@link
 * io.cleat.http.NodeApi}, and the server that speaks HTTP.
 *
 * <p>Receives: requests. Hands on: typed queries to the two interfaces, and their answers as JSON.
 * Runs on: a virtual thread per request. If it fails: one class turns each refusal and each trouble
 * into a status and a text.
 */
@NullMarked
package io.cleat.http;

import org.jspecify.annotations.NullMarked;
