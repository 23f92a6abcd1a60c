package io.cleat.model;

import java.time.Duration;

/**
 * When a task is started again because of a check.
 *
 * @param limit failures in a row; 0 for never
 * @param grace after a start of the task in which failures do not count
 * @param ignoreWarnings whether a warning is no failure
 */
public record CheckRestart(int limit, Duration grace, boolean ignoreWarnings) {}
