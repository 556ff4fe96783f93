sql:
INSERT INTO episode VALUES (1, 'p.yaml', 'w.yaml', 'r.yaml', 1, '0.1.0', 2000000, 20000000, 4000000000, 'failed', 1, 4000000000);
INSERT INTO object (id, episode, name, kind) VALUES (1, 1, 'cup', 'body'), (2, 1, 'base', 'base'), (3, 1, 'shoulder', 'joint'), (4, 1, 'arm', 'link'), (9, 1, 'eye', 'camera');
INSERT INTO pose (episode, object, t_ns, x, y, z, qw, qx, qy, qz) VALUES (1, 1, 0, 0, 0, 0, 1, 0, 0, 0), (1, 1, 1000000000, 1, 0, 0, 0.6, 0, 0, 0.8), (1, 2, 0, 0, 0, 0, 1, 0, 0, 0);
INSERT INTO joint_state (episode, joint, t_ns, position) VALUES (1, 3, 0, 0), (1, 3, 500000000, 1.5);
INSERT INTO linkage (episode, object, parent, joint, joint_kind, x, y, z, qw, qx, qy, qz, axis_x, axis_y, axis_z) VALUES (1, 4, 2, 3, 'revolute', 0, 0, 1, 1, 0, 0, 0, 0, 0, 1), (1, 9, 4, NULL, 'fixed', 0, 0, 0.1, 1, 0, 0, 0, NULL, NULL, NULL);
