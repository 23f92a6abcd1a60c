/**
 * The cluster's image: immutable rows in ordered tables, the changes that turn one image into the next, and how changes
 * and images are stored.
 *
 * <p>Receives: lists of {@link io.cleat.state.Change}, each decided before and with its version. Hands on:
 * {@link io.cleat.state.ClusterState}, which any thread may read for as long as it likes. Runs on: the applier's
 * thread; a snapshot is written from an image by another. If it fails: applying cannot; a stored change or snapshot
 * that cannot be read is a {@link io.cleat.base.DiskTrouble}, and whoever reads stops there.
 */
@NullMarked
package io.cleat.state;

import org.jspecify.annotations.NullMarked;
