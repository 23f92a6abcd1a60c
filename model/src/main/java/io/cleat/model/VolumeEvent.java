package io.cleat.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A call that was made for a volume, or a decision about it.
 *
 * @param call such as {@code NodeStageVolume} or {@code claim granted}
 * @param code the call's gRPC status, or {@code OK}, or {@code Pending} while it goes on
 */
public record VolumeEvent(Instant at, String nodeId, String call, String code, Duration took, String message) {}
