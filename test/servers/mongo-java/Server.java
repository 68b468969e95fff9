import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * A MongoDB-compatible server for tests: mongo-java-server, in memory, as MongoDB 5.0.
 * Argument: port. It ends with SIGTERM, or when the process that started it is gone.
 */
final class Server {
  public static void main(String[] args) throws InterruptedException {
    MongoServer server = new MongoServer(new MemoryBackend().version(new Version5()));
    server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])));
    System.out.println(server.getConnectionString() + "/");
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().join());
    server.shutdownNow();
  }

  /** What MongoDB 5.0 says of itself; the server's own constant announces a wire version that today's drivers refuse. */
  private static final class Version5 implements MongoVersion {
    @Override public String toVersionString() { return "5.0.0"; }
    @Override public List<Integer> getVersionArray() { return List.of(5, 0, 0); }
    @Override public int getWireVersion() { return 13; }
  }
}
