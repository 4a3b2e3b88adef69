package dev.postrider.server.cli.demo;

import java.util.List;

/**
 * Something that begins in the demo.
 *
 * @param at the share of the demo's time after which it begins
 * @param says what is told about it
 */
record Act(double at, Kind kind, String says) {
  /** What is done. */
  enum Kind {
    TRAFFIC,
    FLAKY,
    THROTTLE,
    OUTAGE,
    REPAIR,
    REMINDER,
    CRASH,
    QUIET
  }

  static final List<Act> SCRIPT =
      List.of(
          new Act(
              0,
              Kind.TRAFFIC,
              "Messages come in for twenty chats. Each is on disk before its sender is answered."),
          new Act(
              0.1,
              Kind.FLAKY,
              "From now on one send in ten fails. It is tried again, and its chat waits for it."),
          new Act(
              0.2,
              Kind.THROTTLE,
              "Now the platform throttles chats: each waits as long as it was told, others go on."),
          new Act(
              0.35,
              Kind.OUTAGE,
              "The platform refuses the account. Everything waits, and no attempt is charged."),
          new Act(
              0.42,
              Kind.REPAIR,
              "An operator lets the platform be asked again. It takes the account, and what waited"
                  + " goes out in order."),
          new Act(
              0.48, Kind.REMINDER, "A reminder goes to %,d groups. Live messages still go first."),
          new Act(
              0.65,
              Kind.CRASH,
              "The server is killed with SIGKILL, in the middle of all this, and started again."),
          new Act(0.8, Kind.QUIET, "No more messages come in. What still waits goes out."));
}
