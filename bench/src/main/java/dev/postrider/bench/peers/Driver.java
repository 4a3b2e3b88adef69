package dev.postrider.bench.peers;

import java.lang.reflect.Constructor;
import java.util.logging.Level;
import java.util.logging.Logger;

/** One piece of work on one queue in a process of its own; the result is a line of JSON. */
public final class Driver {
  private Driver() {}

  /**
   * @param args the class of the queue, which takes its target; the target; what to do; how much
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.OFF);
    Constructor<?> constructor = Class.forName(args[0]).getConstructor(String.class);
    Work work = Results.MAPPER.readValue(args[3], Work.class);
    try (Queue queue = (Queue) constructor.newInstance(args[1])) {
      System.out.println(Results.MAPPER.writeValueAsString(work.run(args[2], queue)));
      System.out.flush();
      Runtime.getRuntime().halt(0); // what it still has is of no use
    }
  }
}
