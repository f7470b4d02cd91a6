create index logged_requests_expired on logged_requests (created_at);
