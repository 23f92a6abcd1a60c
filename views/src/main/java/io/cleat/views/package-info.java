/**
 * What the API shows: rows of the cluster's image, and the agent's own sight, as records of {@link
 * io.cleat.api}. Keeps the server free of HTTP and the routes free of rows.
 *
 * <p>Receives: typed queries from the routes; images and answers to commands from the server. Hands
 * on: records of the wire, without secrets; commands to the server. Runs on: the request's thread,
 * which may wait for a newer image. If it fails: a refusal or a trouble, which the routes turn into
 * a status.
 */
@NullMarked
package io.cleat.views;

import org.jspecify.annotations.NullMarked;
