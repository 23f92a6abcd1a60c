package io.cleat.agent.task;

/** Says in a task's events what its group does to it, and why. */
public final class GroupWords {
    private final TaskDiary diary;
    private final TaskEvents events;

    GroupWords(TaskDiary diary, TaskEvents events) {
        this.diary = diary;
        this.events = events;
    }

    /** The task ends because another task of its group failed. */
    public void siblingFailed(String sibling) {
        diary.event(events.siblingFailed(sibling));
    }

    /** The task ends because the leader of its group has. */
    public void leaderDead() {
        diary.event(events.leaderDead());
    }

    /** The task ends because the main tasks of its group have. */
    public void mainsDead() {
        diary.event(events.mainsDead());
    }

    /** All tasks of the group end and start again. */
    public void restartSignaled() {
        diary.event(events.restartSignaled("User requested all tasks to restart"));
    }

    /**
     * The task has no user of its own, which is said once.
     *
     * @param why empty if it has one, or none is wanted
     */
    void sharesUser(String why) {
        if (!why.isEmpty()) {
            diary.eventOnce(events.sharedUser(why));
        }
    }

    /** The allocation is not healthy. */
    public void unhealthy(String why) {
        diary.event(events.unhealthy(why));
    }

    /**
     * The task ends because the allocation's directory holds more than it may.
     *
     * @param limit of the group's disk, in bytes
     */
    public void diskExceeded(String why, long limit) {
        diary.event(events.diskExceeded(why, limit));
    }

    /** The task ends because its allocation has run for as long as it may. */
    public void runTimeExceeded(String why) {
        diary.event(events.runTimeExceeded(why));
    }

    public void diskUnmeasured(String why) {
        diary.event(events.diskUnmeasured(why));
    }

    public void networkFaulty(String why) {
        diary.event(events.networkFaulty(why));
    }

    public void networkStays(String why) {
        diary.event(events.networkStays(why));
    }
}
