package io.cleat.api;

import java.util.Map;

/** A scaling policy, as a list shows it. */
public record ScalingPolicyStub(
        long CreateIndex, boolean Enabled, String ID, long ModifyIndex, Map<String, String> Target, String Type) {}
