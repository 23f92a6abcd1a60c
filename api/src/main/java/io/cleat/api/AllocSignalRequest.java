package io.cleat.api;

/**
 * Which signal is to be sent.
 *
 * @param Signal such as {@code SIGHUP}
 * @param Task empty for all
 */
public record AllocSignalRequest(String Signal, String Task) {}
