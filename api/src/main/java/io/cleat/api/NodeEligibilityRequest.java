package io.cleat.api;

/** @param Eligibility {@code eligible} or {@code ineligible} */
public record NodeEligibilityRequest(String Eligibility, String NodeID) {}
