-- A change of plan starts only when it is known which plan the provider has in place.
alter table service_plan_changes drop column previous_status;
