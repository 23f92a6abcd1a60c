/**
 * What all lists and reads have in common: the image a query is answered from, at once or once what it asks for has
 * changed ({@link io.cleat.clusterapi.query.Reading}), the version it waits on
 * ({@link io.cleat.server.intake.Versions}), the rows of a page ({@link io.cleat.clusterapi.query.Ranges}), and views
 * that are made while the answer is written. Knows no resource.
 *
 * <p>Receives: queries, images of the server. Hands on: rows, and lists whose views are made one at a time. Runs on:
 * the request's thread, which may wait for a newer image. If it fails: a refusal or a trouble, as the server says it.
 */
@NullMarked
package io.cleat.clusterapi.query;

import org.jspecify.annotations.NullMarked;
