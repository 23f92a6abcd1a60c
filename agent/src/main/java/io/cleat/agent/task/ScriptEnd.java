package io.cleat.agent.task;

/**
 * How a command ended that was run in a task.
 *
 * @param code its exit code; -1 if it has none, because it did not run or not to its end
 * @param words what it said, or why it has no code
 */
public record ScriptEnd(int code, String words) {
    static ScriptEnd none(String why) {
        return new ScriptEnd(-1, why);
    }

    public boolean isSuccess() {
        return code == 0;
    }
}
