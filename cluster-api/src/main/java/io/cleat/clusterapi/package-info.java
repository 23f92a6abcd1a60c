/**
 * The API of the cluster, a package for each resource. In each are its routes ({@code JobRoutes}) and what answers them
 * ({@code JobAnswers}), by the server's intake ({@link io.cleat.server.intake.Requests}) or from rows of an image,
 * shown as records of {@link io.cleat.api} ({@code JobView}). A list is in the package of what it lists: the
 * allocations of a job are in {@code allocations}. Here all of them are put together. Keeps the server free of HTTP.
 *
 * <p>Packages know each other in one direction: {@code query} knows no resource; then {@code nodes},
 * {@code evaluations}, {@code jobs}, {@code allocations}, {@code deployments}, {@code plugins}, {@code volumes},
 * {@code events}, each only those before it.
 *
 * <p>Receives: requests; images and answers to commands from the server. Hands on: records of the wire, without
 * secrets; commands to the server. Runs on: the request's thread, which may wait for a newer image. If it fails: a
 * refusal or a trouble, which {@link io.cleat.http.Dispatcher} turns into a status.
 */
@NullMarked
package io.cleat.clusterapi;

import org.jspecify.annotations.NullMarked;
