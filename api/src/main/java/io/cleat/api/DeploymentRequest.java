package io.cleat.api;

/** Asks for something of a deployment. */
public record DeploymentRequest(String DeploymentID) {}
