package dev.postrider.server.cli.doctor;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channels.fetch.ReachableHosts;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.server.config.HttpSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks whether platforms find the server where they bring what people write. */
final class WebhooksCheck {
  /** A name is believed: what it means to this machine says nothing about what others find. */
  private static final ReachableHosts ON_INTERNET =
      new ReachableHosts(List.of(), WebhooksCheck::literal);

  private static final String HTTPS =
      "Set http.publicUrl to an https address that the whole internet reaches;"
          + " docs/deployment.md says how to have one.";

  private final PostriderConfig config;
  private final Map<String, Channel> channels;

  WebhooksCheck(PostriderConfig config, Map<String, Channel> channels) {
    this.config = config;
    this.channels = channels;
  }

  void run(List<Finding> findings) {
    for (AccountConfig account : config.accounts()) {
      @Nullable Channel channel = channels.get(account.channel());
      @Nullable Hook hook = channel == null ? null : channel.hook(account);
      if (hook != null && !account.channel().equals("sandbox")) {
        findings.add(finding(account, hook));
      }
    }
  }

  private Finding finding(AccountConfig account, Hook hook) {
    String path = "/hooks/" + account.id();
    @Nullable String base = config.media().publicUrl();
    if (base == null) {
      return Finding.bad(
          "webhooks",
          "%s is told at %s, and nothing says where platforms find this server."
              .formatted(account.id(), path),
          "Set http.publicUrl to the address that they reach it by, such as"
              + " https://postrider.example.org, and give the platform that and "
              + path
              + ".");
    }
    String told = account.id() + " is told at " + base + path;
    String host = host(base);
    @Nullable String own = account.text("baseUrl");
    if (own == null && hook.overInternet()) {
      if (!isOnInternet(host)) {
        return Finding.bad(
            "webhooks", told + ", which its platform on the internet does not reach.", HTTPS);
      }
      if (!base.startsWith("https:")) {
        return Finding.bad(
            "webhooks",
            told
                + ", over the internet and without TLS: most platforms bring nothing there, and"
                + " what they bring can be read on the way.",
            HTTPS);
      }
    } else if (own != null
        && HttpSettings.isLoopback(host)
        && !HttpSettings.isLoopback(host(own))) {
      return Finding.bad(
          "webhooks",
          told + ", which only programs on this machine reach.",
          "Set http.publicUrl to an address that %s reaches.".formatted(host(own)));
    }
    return Finding.well("webhooks", told + ".");
  }

  private static String host(String address) {
    @Nullable String host = URI.create(address).getHost();
    return host == null ? "" : host;
  }

  private static boolean isOnInternet(String host) {
    try {
      return !HttpSettings.isLoopback(host) && ON_INTERNET.includes(host);
    } catch (UnknownHostException e) {
      return true;
    }
  }

  private static InetAddress[] literal(String host) throws UnknownHostException {
    try {
      return new InetAddress[] {InetAddress.ofLiteral(host)};
    } catch (IllegalArgumentException e) {
      throw new UnknownHostException(host);
    }
  }
}
