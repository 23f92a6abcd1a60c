package io.cleat.model;

import java.time.Instant;

/**
 * What a node found of an allocation's health, once and for all.
 *
 * @param deploymentId the deployment it was looked at for; empty for none
 * @param healthy whether its tasks ran for the minimum time before the deadline
 */
public record AllocHealth(String deploymentId, boolean healthy, Instant at) {}
