/**
 * The API of the cluster: of each resource its routes ({@code JobRoutes}), and what answers them
 * ({@code JobAnswers}), by the server's intake ({@link io.cleat.server.intake.Requests}) or from
 * rows of an image, shown as records of {@link io.cleat.api} ({@code JobView}). And the agent's own
 * sight. Keeps the server free of HTTP.
 *
 * <p>Receives: requests; images and answers to commands from the server. Hands on: records of the
 * wire, without secrets; commands to the server. Runs on: the request's thread, which may wait for
 * a newer image. If it fails: a refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns
 * into a status.
 */
@NullMarked
package io.cleat.views;

import org.jspecify.annotations.NullMarked;
