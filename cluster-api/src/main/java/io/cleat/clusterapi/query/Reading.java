package io.cleat.clusterapi.query;

import io.cleat.api.AnswerMeta;
import io.cleat.state.ClusterState;

/**
 * The image a query is answered from, at once or once what it asks for has changed.
 *
 * @param meta the version of what was asked for, never below 1, which would make a blocking client spin
 */
public record Reading(ClusterState state, AnswerMeta meta) {}
