# A network between two ends that loses, doubles, delays, cuts and invents datagrams, by a fixed rule. Argument: the port of the far end;
# prints the port for the near one.
import select, socket, sys
far = ("127.0.0.1", int(sys.argv[1]))
a, b = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
a.bind(("127.0.0.1", 0))
print(a.getsockname()[1], flush=True)
near, kept, n, stranger = None, [], 0, socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
while True:
    for s in select.select([a, b], [], [])[0]:
        data, who = s.recvfrom(4096)
        if s is a:
            near = who
        send = (lambda d: b.sendto(d, far)) if s is a else (lambda d: a.sendto(d, near))
        n += 1
        if n % 97 == 0:
            continue  # lost
        if n % 31 == 0:
            send(data)  # twice
        if n % 43 == 0:
            send(data[:-9])  # cut
            send(data[:40] + bytes([data[40] ^ 1]) + data[41:] if len(data) > 41 else b"")  # a flipped bit
            send(b"\xff" * 3000)
        if n % 53 == 0 and s is a:
            stranger.sendto(data, far)
        if n % 61 == 0:
            kept.append((send, data))  # arrives late, besides
        if n % 67 == 0 and kept:
            late, old = kept.pop(0)
            late(old)
        send(data)
