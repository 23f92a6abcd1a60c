package io.cleat.api;

import java.util.Map;

/** The change of a job to one of its versions. Times in ns since the epoch. */
public record Deployment(
        long CreateIndex,
        long CreateTime,
        int EvalPriority,
        String ID,
        boolean IsMultiregion,
        long JobCreateIndex,
        String JobID,
        long JobModifyIndex,
        long JobSpecModifyIndex,
        long JobVersion,
        long ModifyIndex,
        long ModifyTime,
        String Namespace,
        String Status,
        String StatusDescription,
        Map<String, DeploymentState> TaskGroups) {
    /** Whether nothing more comes of it. */
    public boolean isOver() {
        return Status.equals("successful") || Status.equals("failed") || Status.equals("cancelled");
    }
}
