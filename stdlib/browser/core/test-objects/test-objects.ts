import { command } from '#stdlib/command.ts';

export const WR_save_test_object = command('WR_save_test_object', ({ test_object_name, object_type, locator }, ctx) => {
  ctx.testObjects.save(test_object_name, object_type, locator ?? test_object_name);
});

export const WR_clear_test_objects = command('WR_clear_test_objects', (_, ctx) => ctx.testObjects.clear());
