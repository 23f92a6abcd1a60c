package io.cleat.api;

/** Holds a deployment, or lets it go on. */
public record DeploymentPauseRequest(String DeploymentID, boolean Pause) {}
