package io.cleat.api;

/** One pair of modes a volume can be used with, for example {@code single-node-writer} and {@code file-system}. */
public record CsiCapability(String AccessMode, String AttachmentMode) {}
