/**
 * The event stream: what each decision changed, as records of the API.
 *
 * <p>Receives: decisions, as they are applied, and a query of what is wanted. Hands on: events, in the order of
 * decisions; a heartbeat where there are none. Runs on: the request's thread, one for each reader, as long as it reads.
 * If it fails: the stream ends, and the client asks again from where it was.
 */
@NullMarked
package io.cleat.clusterapi.events;

import org.jspecify.annotations.NullMarked;
