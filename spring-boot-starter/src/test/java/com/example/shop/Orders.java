package com.example.shop;

import dev.postrider.Delivery;
import dev.postrider.message.Message;
import dev.postrider.spring.TransactionalOutbox;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Ships orders and tells customers so: both, or neither. */
@Service
public class Orders {
  private final JdbcClient jdbc;
  private final TransactionalOutbox outbox;

  public Orders(JdbcClient jdbc, TransactionalOutbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional
  public Delivery ship(int number, String customer) {
    String text = "Your order " + number + " has shipped";
    Delivery delivery = outbox.send(Message.to("shop", customer).text(text).build());
    jdbc.sql("INSERT INTO shipment (number) VALUES (?)").param(number).update();
    return delivery;
  }
}
