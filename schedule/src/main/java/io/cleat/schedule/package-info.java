/**
 * Where allocations go. Pure: the same image and evaluation give the same plan.
 *
 * <p>Receives: an image and an evaluation. Hands on: a {@link io.cleat.schedule.Plan}, which is then decided against
 * the newest image and logged. Runs on: any thread. If it fails: nothing is changed; what found no place is in the plan
 * with its reason, node by node.
 */
@NullMarked
package io.cleat.schedule;

import org.jspecify.annotations.NullMarked;
