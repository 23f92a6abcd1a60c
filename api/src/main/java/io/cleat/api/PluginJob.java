package io.cleat.api;

/** A job that runs a plugin, and how many instances it should have. */
public record PluginJob(int Expected, String ID, String Namespace) {}
