-- Every page of every person asks how many of these there are since they last looked.
CREATE INDEX notifications_unreached ON notifications (updated_at)
  WHERE kind = 'message' AND status IN ('Failed', 'Partially Delivered');
