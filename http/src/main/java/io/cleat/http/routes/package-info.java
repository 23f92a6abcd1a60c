/**
 * The routes of what each agent answers for itself, of its node: which paths there are, and what each asks of
 * {@link io.cleat.http.NodeApi}.
 *
 * <p>Receives: requests that a route matched. Hands on: typed queries. Runs on: the request's thread. If it fails: a
 * refusal, which {@link io.cleat.http.Dispatcher} has turned into a status.
 */
@NullMarked
package io.cleat.http.routes;

import org.jspecify.annotations.NullMarked;
